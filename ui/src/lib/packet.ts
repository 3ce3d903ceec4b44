// A picture as it comes from the application: which one it is, how large it really is, and a JPEG.

export interface Packet {
  source: number;
  picture: number;
  /** Size of the full picture in pixels, which marks are shares of; the JPEG may be smaller. */
  width: number;
  height: number;
  jpeg: Uint8Array<ArrayBuffer>;
}

export class PacketError extends Error {}

const HEAD = 16;
/** No picture has more pixels a side; what says so is damaged. */
const LARGEST = 1 << 16;

/** None for an empty packet: there is no newer picture. Throws [`PacketError`] for what is no packet. */
export function parsePacket(bytes: ArrayBuffer): Packet | null {
  if (!(bytes instanceof ArrayBuffer)) throw new PacketError("a picture did not come as bytes");
  if (bytes.byteLength === 0) return null;
  if (bytes.byteLength <= HEAD + 2) throw new PacketError("a picture ended before it began");
  const head = new DataView(bytes, 0, HEAD);
  const [source, picture, width, height] = [0, 4, 8, 12].map((at) => head.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  const real = (side: number) => side > 0 && side <= LARGEST;
  if (!real(width) || !real(height)) throw new PacketError(`a picture says it is ${width} × ${height} pixels`);
  const jpeg = new Uint8Array(bytes, HEAD);
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) throw new PacketError("a picture is not a JPEG");
  return { source, picture, width, height, jpeg };
}
