//! Time stamps of the exact form `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)` (R14).

/// Microseconds since 1970, or nothing when the text has another form or names no real instant. Digits of the
/// fraction beyond the sixth are cut.
pub fn unix_micros(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    if !text.is_ascii() || bytes.len() < 20 {
        return None;
    }
    let mark = |at: usize, mark: u8| bytes.get(at) == Some(&mark);
    if !(mark(4, b'-') && mark(7, b'-') && mark(10, b'T') && mark(13, b':') && mark(16, b':')) {
        return None;
    }
    let (year, month, day) = (
        digits(&text[0..4])?,
        digits(&text[5..7])?,
        digits(&text[8..10])?,
    );
    let (hour, minute, second) = (
        digits(&text[11..13])?,
        digits(&text[14..16])?,
        digits(&text[17..19])?,
    );
    if year < 1
        || hour > 23
        || minute > 59
        || second > 59
        || day < 1
        || day > days_in_month(year, month)?
    {
        return None;
    }
    let rest = &text[19..];
    let (micros, zone) = match rest.strip_prefix('.') {
        None => (0, rest),
        Some(rest) => {
            let length = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (fraction, zone) = rest.split_at(length);
            let six: String = fraction.chars().chain("000000".chars()).take(6).collect();
            (
                if length == 0 {
                    return None;
                } else {
                    digits(&six)?
                },
                zone,
            )
        }
    };
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second;
    Some((seconds - offset_seconds(zone)?) * 1_000_000 + micros)
}

fn offset_seconds(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    if zone.len() != 6 || zone.as_bytes()[3] != b':' {
        return None;
    }
    let (hours, minutes) = (digits(&zone[1..3])?, digits(&zone[4..6])?);
    (hours <= 23 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
}

fn digits(text: &str) -> Option<i64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.parse().ok()
    } else {
        None
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in_month(year: i64, month: i64) -> Option<i64> {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if is_leap(year) { 29 } else { 28 }),
        _ => None,
    }
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Days before a year of the Gregorian calendar, counted from year 1.
    let before =
        |year: i64| (year - 1) * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let months: i64 = (1..month)
        .filter_map(|month| days_in_month(year, month))
        .sum();
    before(year) - before(1970) + months + day - 1
}
