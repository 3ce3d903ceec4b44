// How long something took, for a person.

/** Milliseconds as "40 ms", "1.2 s", "14 s" or "2 min 5 s"; nothing for what is no duration. */
export function duration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) return "";
  const whole = Math.round(milliseconds);
  if (whole < 1) return "< 1 ms";
  if (whole < 1000) return `${whole} ms`;
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest ? ` ${rest} s` : ""}`;
}
