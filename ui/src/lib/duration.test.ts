import { expect, test } from "vitest";

import { duration } from "./duration";

test.each([
  [0, "< 1 ms"],
  [3, "3 ms"],
  [999, "999 ms"],
  [999.6, "1.0 s"],
  [1240, "1.2 s"],
  [9_949, "9.9 s"],
  [9_950, "10 s"],
  [14_400, "14 s"],
  [59_700, "1 min"],
  [125_000, "2 min 5 s"],
  [-1, ""],
  [NaN, ""],
])("%d ms are said as “%s”", (milliseconds, said) => expect(duration(milliseconds)).toBe(said));
