//! What people call a colour, and how well a pixel answers to it.

use std::sync::OnceLock;

/// A colour name of everyday language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Colour {
    Red,
    Orange,
    Yellow,
    Green,
    Turquoise,
    Blue,
    Purple,
    Pink,
    Brown,
    Beige,
    Black,
    White,
    Grey,
}

impl Colour {
    /// All of them.
    pub(crate) const ALL: [Self; 13] = [
        Self::Red,
        Self::Orange,
        Self::Yellow,
        Self::Green,
        Self::Turquoise,
        Self::Blue,
        Self::Purple,
        Self::Pink,
        Self::Brown,
        Self::Beige,
        Self::Black,
        Self::White,
        Self::Grey,
    ];

    /// The colour a word names, in any case and spelling ("gray", "violet", "lilac" …).
    pub(crate) fn named(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        let stem = word
            .strip_suffix("-coloured")
            .or_else(|| word.strip_suffix("-colored"))
            .unwrap_or(&word);
        let stem = stem.strip_suffix("ish").map_or(stem, |s| match s {
            "redd" => "red",
            "blu" => "blue",
            "whit" => "white",
            "purpl" => "purple",
            other => other,
        });
        Some(match stem {
            "red" | "crimson" | "scarlet" | "maroon" | "ruby" | "burgundy" => Self::Red,
            "orange" | "amber" => Self::Orange,
            "yellow" | "gold" | "golden" | "lemon" => Self::Yellow,
            "green" | "lime" | "olive" | "emerald" | "mint" => Self::Green,
            "turquoise" | "teal" | "cyan" | "aqua" | "aquamarine" => Self::Turquoise,
            "blue" | "navy" | "azure" | "indigo" => Self::Blue,
            "purple" | "violet" | "lilac" | "lavender" | "mauve" | "plum" => Self::Purple,
            "pink" | "magenta" | "rose" | "salmon" | "fuchsia" => Self::Pink,
            "brown" | "tan" | "chestnut" | "bronze" => Self::Brown,
            "beige" | "cream" | "ivory" | "sand" => Self::Beige,
            "black" => Self::Black,
            "white" => Self::White,
            "grey" | "gray" | "silver" => Self::Grey,
            _ => return None,
        })
    }

    /// Its plain English name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Orange => "orange",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Turquoise => "turquoise",
            Self::Blue => "blue",
            Self::Purple => "purple",
            Self::Pink => "pink",
            Self::Brown => "brown",
            Self::Beige => "beige",
            Self::Black => "black",
            Self::White => "white",
            Self::Grey => "grey",
        }
    }

    /// Whether it has a hue: what is black, white or grey changes most with the light.
    pub(crate) fn has_hue(self) -> bool {
        !matches!(self, Self::Black | Self::White | Self::Grey)
    }

    /// How well a pixel answers to the name, 0 to 1.
    pub(crate) fn fits(self, rgb: [u8; 3]) -> f32 {
        f32::from(table().fits[cell(rgb)][self as usize]) / 255.0
    }
}

/// The name that fits a pixel best.
pub(crate) fn called(rgb: [u8; 3]) -> Colour {
    Colour::ALL[usize::from(table().best[cell(rgb)]) % Colour::ALL.len()]
}

/// Lightness 0 to 1 and two colour axes, about -0.4 to 0.4 (OKLab). Equal distances look equally different.
pub(crate) fn exact_lab(rgb: [f32; 3]) -> [f32; 3] {
    let [r, g, b] = rgb.map(|v| {
        let v = (v / 255.0).clamp(0.0, 1.0);
        if v <= 0.040_45 {
            v / 12.92
        } else {
            ((v + 0.055) / 1.055).powf(2.4)
        }
    });
    let l = (0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

/// Five bits of each channel: finer than names are, and small enough to make in a few milliseconds.
const BITS: usize = 5;

struct Table {
    fits: Vec<[u8; 13]>,
    best: Vec<u8>,
}

fn cell(rgb: [u8; 3]) -> usize {
    let part = |v: u8| usize::from(v >> (8 - BITS));
    (part(rgb[0]) << (2 * BITS)) | (part(rgb[1]) << BITS) | part(rgb[2])
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let cells = 1usize << (3 * BITS);
        let mut table = Table {
            fits: Vec::with_capacity(cells),
            best: Vec::with_capacity(cells),
        };
        let mask = (1 << BITS) - 1;
        for at in 0..cells {
            let middle = |part: usize| part as f32 * 255.0 / mask as f32;
            let rgb = [
                middle(at >> (2 * BITS)),
                middle((at >> BITS) & mask),
                middle(at & mask),
            ];
            let lab = exact_lab(rgb);
            let fits = fits(lab);
            let best = (0..fits.len())
                .max_by(|a, b| fits[*a].total_cmp(&fits[*b]))
                .unwrap_or(0);
            table.fits.push(fits.map(|v| (v * 255.0) as u8));
            table.best.push(best as u8);
        }
        table
    })
}

/// 0 below `from`, 1 above `to`.
fn up(value: f32, from: f32, to: f32) -> f32 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}

fn down(value: f32, from: f32, to: f32) -> f32 {
    1.0 - up(value, from, to)
}

/// Rises from `a` to `b`, falls from `c` to `d`.
fn band(value: f32, [a, b, c, d]: [f32; 4]) -> f32 {
    up(value, a, b).min(down(value, c, d))
}

/// [`band`] on the circle of hues, in degrees.
fn hue_band(hue: f32, edges: [f32; 4]) -> f32 {
    let best = |h: f32| band(h, edges);
    best(hue).max(best(hue - 360.0)).max(best(hue + 360.0))
}

/// How well the names fit, in the order of [`Colour::ALL`]. Light varies over a thing more than its hue
/// does: lightness decides only where names differ by it (brown and orange, pink and red).
fn fits([light, a, b]: [f32; 3]) -> [f32; 13] {
    let chroma = a.hypot(b);
    let hue = b.atan2(a).to_degrees().rem_euclid(360.0);
    let dark = down(light, 0.13, 0.22);
    let lit = 1.0 - dark;
    let red =
        hue_band(hue, [-2.0, 12.0, 34.0, 44.0]) * up(chroma, 0.07, 0.11) * down(light, 0.72, 0.8);
    let orange =
        hue_band(hue, [36.0, 46.0, 68.0, 80.0]) * up(chroma, 0.09, 0.13) * up(light, 0.5, 0.6);
    let yellow =
        hue_band(hue, [74.0, 84.0, 112.0, 122.0]) * up(chroma, 0.07, 0.11) * up(light, 0.55, 0.66);
    let green = hue_band(hue, [110.0, 124.0, 165.0, 182.0]) * up(chroma, 0.035, 0.065);
    let turquoise = hue_band(hue, [168.0, 184.0, 212.0, 228.0]) * up(chroma, 0.035, 0.06);
    let blue = hue_band(hue, [215.0, 235.0, 277.0, 292.0]) * up(chroma, 0.035, 0.065);
    let purple = hue_band(hue, [280.0, 294.0, 324.0, 344.0]) * up(chroma, 0.035, 0.065);
    let rose =
        hue_band(hue, [-36.0, -18.0, 4.0, 16.0]) * up(chroma, 0.05, 0.09) * up(light, 0.45, 0.6);
    let salmon = hue_band(hue, [-5.0, 5.0, 28.0, 42.0])
        * band(chroma, [0.03, 0.06, 0.14, 0.18])
        * up(light, 0.68, 0.78);
    let brown = hue_band(hue, [18.0, 38.0, 88.0, 108.0])
        * band(chroma, [0.025, 0.04, 0.12, 0.15])
        * band(light, [0.14, 0.22, 0.56, 0.66]);
    let beige = hue_band(hue, [40.0, 60.0, 108.0, 120.0])
        * band(chroma, [0.012, 0.022, 0.065, 0.09])
        * up(light, 0.7, 0.8);
    let plain = down(chroma, 0.02, 0.045);
    let black = dark.max(down(chroma, 0.03, 0.06) * down(light, 0.28, 0.4));
    let white = down(chroma, 0.02, 0.04) * up(light, 0.82, 0.92);
    let grey = plain * band(light, [0.28, 0.4, 0.82, 0.92]);
    [
        red * lit,
        orange * lit,
        yellow * lit,
        green * lit,
        turquoise * lit,
        blue * lit,
        purple * lit,
        rose.max(salmon) * lit,
        brown * lit,
        beige,
        black,
        white,
        grey,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_colours_have_their_names() {
        for (rgb, name) in [
            ([255, 0, 0], Colour::Red),
            ([140, 20, 25], Colour::Red),
            ([255, 140, 0], Colour::Orange),
            ([240, 220, 30], Colour::Yellow),
            ([20, 140, 60], Colour::Green),
            ([64, 224, 208], Colour::Turquoise),
            ([30, 60, 200], Colour::Blue),
            ([60, 110, 180], Colour::Blue),
            ([128, 0, 160], Colour::Purple),
            ([255, 150, 190], Colour::Pink),
            ([110, 70, 40], Colour::Brown),
            ([240, 230, 205], Colour::Beige),
            ([12, 12, 14], Colour::Black),
            ([252, 252, 252], Colour::White),
            ([128, 128, 128], Colour::Grey),
        ] {
            assert_eq!(
                called(rgb),
                name,
                "{rgb:?} {:?}",
                exact_lab(rgb.map(f32::from))
            );
            assert!(name.fits(rgb) > 0.5, "{name:?}");
        }
    }

    #[test]
    fn half_the_light_leaves_a_strong_colour_its_name() {
        for (rgb, name) in [
            ([230, 30, 30], Colour::Red),
            ([40, 200, 60], Colour::Green),
            ([50, 90, 230], Colour::Blue),
        ] {
            let dim = rgb.map(|v: u8| v / 2);
            assert!(name.fits(rgb) > 0.6 && name.fits(dim) > 0.5, "{name:?}");
        }
    }

    #[test]
    fn words_for_a_colour_are_known_in_every_spelling() {
        for (word, colour) in [
            ("Gray", Colour::Grey),
            ("violet", Colour::Purple),
            ("reddish", Colour::Red),
            ("cream-coloured", Colour::Beige),
            ("golden", Colour::Yellow),
        ] {
            assert_eq!(Colour::named(word), Some(colour));
        }
        assert_eq!(Colour::named("round"), None);
        for colour in Colour::ALL {
            assert_eq!(Colour::named(colour.name()), Some(colour));
        }
    }
}
