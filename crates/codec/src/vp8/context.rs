//! The one place that holds a libvpx context: made once, never moved, always destroyed.
#![allow(unsafe_code, reason = "libvpx is a C library")]

use std::{
    ffi::{CStr, c_int, c_long, c_uint, c_ulong},
    mem::MaybeUninit,
    ptr,
};

use alidade_picture::{I420, Size};
use vpx_sys as vpx;

/// What libvpx said when it refused: a sentence of its own, in English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) String);

/// How an encoder is set up, in libvpx's own terms.
#[derive(Clone, Copy)]
pub(super) struct EncoderConfig(pub(super) vpx::vpx_codec_enc_cfg_t);

// SAFETY: its pointers belong to two-pass encoding, which this crate never does; they stay null.
unsafe impl Send for EncoderConfig {}

impl EncoderConfig {
    /// The defaults of a VP8 encoder for live video.
    pub(super) fn defaults() -> Result<Self, Refusal> {
        let mut config = MaybeUninit::uninit();
        // SAFETY: the interface pointer comes from libvpx, and `config` is room for one configuration,
        // which the call fills whole where it answers OK; only then is it read.
        unsafe {
            let code =
                vpx::vpx_codec_enc_config_default(vpx::vpx_codec_vp8_cx(), config.as_mut_ptr(), 0);
            match code {
                vpx::VPX_CODEC_OK => Ok(Self(config.assume_init())),
                other => Err(said(other)),
            }
        }
    }
}

/// A libvpx context behind a pointer that stays where it is: libvpx may keep addresses into it.
pub(super) struct Context(Box<vpx::vpx_codec_ctx_t>);

// SAFETY: a libvpx context is not bound to the thread that made it; it asks only that two threads do
// not use it at once, which `&mut self` on every method that touches it ensures.
unsafe impl Send for Context {}

impl Context {
    pub(super) fn encoder(config: &EncoderConfig) -> Result<Self, Refusal> {
        Self::made(|context| {
            // SAFETY: `context` is zeroed memory of the right type, as libvpx asks; `config` is copied
            // by the call; the version is that of the bindings, and libvpx compares it with its own.
            unsafe {
                vpx::vpx_codec_enc_init_ver(
                    context,
                    vpx::vpx_codec_vp8_cx(),
                    &config.0,
                    0,
                    vpx::VPX_ENCODER_ABI_VERSION as c_int,
                )
            }
        })
    }

    pub(super) fn decoder() -> Result<Self, Refusal> {
        let config = vpx::vpx_codec_dec_cfg_t {
            threads: 1,
            w: 0,
            h: 0,
        };
        Self::made(|context| {
            // SAFETY: as in `encoder`; the configuration is copied by the call.
            unsafe {
                vpx::vpx_codec_dec_init_ver(
                    context,
                    vpx::vpx_codec_vp8_dx(),
                    &config,
                    0,
                    vpx::VPX_DECODER_ABI_VERSION as c_int,
                )
            }
        })
    }

    fn made(
        start: impl FnOnce(*mut vpx::vpx_codec_ctx_t) -> vpx::vpx_codec_err_t,
    ) -> Result<Self, Refusal> {
        let mut context = Box::new(MaybeUninit::<vpx::vpx_codec_ctx_t>::zeroed());
        match start(context.as_mut_ptr()) {
            // SAFETY: all fields are pointers, integers and an error code, for which zero is valid;
            // libvpx has filled them besides.
            vpx::VPX_CODEC_OK => Ok(Self(unsafe { context.assume_init() })),
            // On failure libvpx has released what it took.
            other => Err(said(other)),
        }
    }

    fn checked(&mut self, code: vpx::vpx_codec_err_t) -> Result<(), Refusal> {
        if code == vpx::VPX_CODEC_OK {
            return Ok(());
        }
        // SAFETY: the context is live; the answer is null or a string that lives until the next call.
        let detail = unsafe { vpx::vpx_codec_error_detail(&mut *self.0).as_ref() };
        match detail {
            // SAFETY: as above, and it ends with a zero.
            Some(text) => Err(Refusal(
                unsafe { CStr::from_ptr(text) }
                    .to_string_lossy()
                    .into_owned(),
            )),
            None => Err(said(code)),
        }
    }

    /// Sets one of the encoder's controls that take a single integer.
    pub(super) fn control(
        &mut self,
        which: vpx::vp8e_enc_control_id,
        value: c_int,
    ) -> Result<(), Refusal> {
        // SAFETY: the context is a live encoder, and the controls this crate sets take one int (or
        // unsigned int of the same width).
        let code = unsafe { vpx::vpx_codec_control_(&mut *self.0, which as c_int, value) };
        self.checked(code)
    }

    pub(super) fn configure(&mut self, config: &EncoderConfig) -> Result<(), Refusal> {
        // SAFETY: the context is a live encoder; the configuration is copied.
        let code = unsafe { vpx::vpx_codec_enc_config_set(&mut *self.0, &config.0) };
        self.checked(code)
    }

    /// Encodes one picture; `time` and `duration` in units of the configured time base. Answers the
    /// bytes and whether it is a key picture; no bytes where the encoder dropped it.
    pub(super) fn encode(
        &mut self,
        planes: &I420,
        time: i64,
        duration: u32,
        force_key: bool,
    ) -> Result<(Vec<u8>, bool), Refusal> {
        let size = planes.size();
        let mut image = MaybeUninit::<vpx::vpx_image_t>::zeroed();
        // SAFETY: `image` is room for one image, which the call clears and fills; it keeps the address
        // of the pixels without touching them.
        let wrapped = unsafe {
            vpx::vpx_img_wrap(
                image.as_mut_ptr(),
                vpx::vpx_img_fmt::VPX_IMG_FMT_I420,
                size.width,
                size.height,
                1,
                planes.y().as_ptr().cast_mut(),
            )
        };
        if wrapped.is_null() {
            return Err(Refusal(
                "libvpx does not take a picture of this size".into(),
            ));
        }
        // SAFETY: the call answered its argument, so the image is filled.
        let mut image = unsafe { image.assume_init() };
        // `vpx_img_wrap` rounds odd rows up; ours are packed, with chroma rounded up.
        for (plane, (bytes, stride)) in [
            (planes.y(), size.width),
            (planes.u(), planes.chroma_size().width),
            (planes.v(), planes.chroma_size().width),
        ]
        .into_iter()
        .enumerate()
        {
            image.planes[plane] = bytes.as_ptr().cast_mut();
            image.stride[plane] = stride as c_int;
        }
        let flags = if force_key {
            vpx::VPX_EFLAG_FORCE_KF as vpx::vpx_enc_frame_flags_t
        } else {
            0
        };
        // SAFETY: the context is a live encoder. The image describes three planes that `planes` keeps
        // alive through the call, whose lengths its constructor checked; the encoder copies them and
        // writes to none.
        let code = unsafe {
            vpx::vpx_codec_encode(
                &mut *self.0,
                &image,
                time,
                duration as c_ulong,
                flags,
                vpx::VPX_DL_REALTIME as c_ulong,
            )
        };
        self.checked(code)?;
        let (mut data, mut key) = (Vec::new(), false);
        let mut place: vpx::vpx_codec_iter_t = ptr::null();
        loop {
            // SAFETY: the context is live, `place` began as null; the answer is null at the end or a
            // packet that lives until the next call on the context.
            let Some(packet) =
                (unsafe { vpx::vpx_codec_get_cx_data(&mut *self.0, &mut place).as_ref() })
            else {
                return Ok((data, key));
            };
            if packet.kind != vpx::vpx_codec_cx_pkt_kind::VPX_CODEC_CX_FRAME_PKT {
                continue;
            }
            // SAFETY: the kind says that this member of the union is the one that was written, and
            // libvpx promises `sz` bytes at `buf` until the next call.
            let bytes = unsafe {
                let frame = packet.data.frame;
                key |= frame.flags & vpx::VPX_FRAME_IS_KEY != 0;
                if frame.buf.is_null() {
                    &[][..]
                } else {
                    std::slice::from_raw_parts(frame.buf.cast::<u8>(), frame.sz as usize)
                }
            };
            data.extend_from_slice(bytes);
        }
    }

    /// Size and key flag that the first bytes of an encoded picture claim.
    pub(super) fn peek(data: &[u8]) -> Result<(Size, bool), Refusal> {
        let mut info = vpx::vpx_codec_stream_info_t {
            sz: size_of::<vpx::vpx_codec_stream_info_t>() as c_uint,
            w: 0,
            h: 0,
            is_kf: 0,
        };
        let length = length(data)?;
        // SAFETY: `data` holds `length` readable bytes, and `info` carries its own size as libvpx asks.
        let code = unsafe {
            vpx::vpx_codec_peek_stream_info(
                vpx::vpx_codec_vp8_dx(),
                data.as_ptr(),
                length,
                &mut info,
            )
        };
        // A picture that builds on earlier ones carries no size and is answered with an error.
        if info.is_kf != 0 && code != vpx::VPX_CODEC_OK {
            return Err(said(code));
        }
        Ok((Size::new(info.w, info.h), info.is_kf != 0))
    }

    /// Decodes one picture and shows it to `read`, unless it is one that is not to be shown.
    pub(super) fn decode<T>(
        &mut self,
        data: &[u8],
        read: impl FnOnce(Shown<'_>) -> T,
    ) -> Result<Option<T>, Refusal> {
        let length = length(data)?;
        // SAFETY: the context is a live decoder and `data` holds `length` readable bytes, which the
        // call does not keep: without frame threading it decodes before it returns.
        let code = unsafe {
            vpx::vpx_codec_decode(
                &mut *self.0,
                data.as_ptr(),
                length,
                ptr::null_mut(),
                0 as c_long,
            )
        };
        self.checked(code)?;
        let mut place: vpx::vpx_codec_iter_t = ptr::null();
        // SAFETY: the context is live, `place` is null; the answer is null or an image of the decoder
        // that lives until the next call on it, and `&mut self` is held until `read` returns.
        let image = unsafe { vpx::vpx_codec_get_frame(&mut *self.0, &mut place).as_ref() };
        Ok(image.map(|image| read(Shown(image))))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context was made by libvpx and is destroyed once.
        let _ = unsafe { vpx::vpx_codec_destroy(&mut *self.0) };
    }
}

/// A decoded image in the decoder's own memory.
pub(super) struct Shown<'a>(&'a vpx::vpx_image_t);

impl Shown<'_> {
    pub(super) fn size(&self) -> Size {
        Size::new(self.0.d_w, self.0.d_h)
    }

    /// Writes Y, U and V one behind the other without padding; `to` has room for exactly that.
    pub(super) fn write(&self, to: &mut [u8]) {
        let size = self.size();
        let chroma = Size::new(size.width.div_ceil(2), size.height.div_ceil(2));
        let mut rows = to;
        for (plane, part) in [size, chroma, chroma].into_iter().enumerate() {
            for row in 0..part.height as usize {
                let (target, rest) = rows.split_at_mut((part.width as usize).min(rows.len()));
                // SAFETY: libvpx keeps `d_h` rows of at least `d_w` bytes (half of each, rounded up,
                // for chroma), `stride` bytes apart, at `planes`, while the borrow in `Shown` lasts;
                // `target` is no longer than the row.
                let source = unsafe {
                    let start =
                        self.0.planes[plane].offset(row as isize * self.0.stride[plane] as isize);
                    std::slice::from_raw_parts(start, target.len())
                };
                target.copy_from_slice(source);
                rows = rest;
            }
        }
    }
}

fn length(data: &[u8]) -> Result<c_uint, Refusal> {
    c_uint::try_from(data.len()).map_err(|_| Refusal("it is longer than four gigabytes".into()))
}

fn said(code: vpx::vpx_codec_err_t) -> Refusal {
    // SAFETY: any code is allowed, and the answer is a static string that ends with a zero.
    let text = unsafe { CStr::from_ptr(vpx::vpx_codec_err_to_string(code)) };
    Refusal(text.to_string_lossy().into_owned())
}
