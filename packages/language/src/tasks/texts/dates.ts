import type { Generator } from "@reins/core/random";
import { between } from "../random.ts";
import { worded } from "../single.ts";

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/**
 * Days since 1970-01-01 in the Gregorian calendar, and back. Years begin in March here, so that the leap day is the
 * last one (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
 */
function toDays(year: number, month: number, day: number): number {
  const y = month < 3 ? year - 1 : year;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + ofYear - 719_468;
}

function fromDays(days: number): string {
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const ofEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * ofYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return date(
    era * 400 + yearOfEra + (month < 3 ? 1 : 0),
    month,
    ofYear - Math.floor((153 * shifted + 2) / 5) + 1,
  );
}

const two = (x: number): string => `${x}`.padStart(2, "0");
const date = (year: number, month: number, day: number): string => `${year}-${two(month)}-${two(day)}`;

/** 1970-01-01 was a Thursday. */
const weekday = (days: number): number => (((days + 3) % 7) + 7) % 7;

/**
 * Dates: days later (+9d), months later (+9m), the next Friday after a day (>Fri), days between two, the third Friday
 * of a month (3Fri).
 */
export const dates = worded({
  id: "dates",
  about: "Calculate with dates.",
  levels: 8,
  alphabet: "0123456789-+>:=dmMonTueWhFriSat",
  longest: { prompt: 22, answer: 10 },
  numbers: true,
  form: /^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|-?[0-9]+)$/,
  make: problem,
});

function problem(random: Generator, level: number): [string, string | number] {
  const [year, month, day] = [between(random, 1900, 2099), between(random, 1, 12), between(random, 1, 28)];
  const days = toDays(year, month, day);
  if (level === 1) {
    // Within the month, and short: this level is about adding two numbers.
    const [early, more] = [between(random, 1, 14), between(random, 1, 14)];
    return [`${date(year, month, early)}+${more}d=`, date(year, month, early + more)];
  }
  if (level === 2) {
    const more = between(random, 1, 30);
    return [
      `${date(year, month, day)}+${more}m=`,
      date(year + Math.floor((month - 1 + more) / 12), ((month - 1 + more) % 12) + 1, day),
    ];
  }
  if (level === 3 || level === 4) {
    const more = (level === 4 && random.random() < 0.5 ? -1 : 1) * between(random, 5, level === 3 ? 31 : 99);
    return [`${fromDays(days)}${more < 0 ? "-" : "+"}${Math.abs(more)}d=`, fromDays(days + more)];
  }
  if (level === 5) {
    const until = days + between(random, 1, 365);
    return [`${fromDays(days)}:${fromDays(until)}=`, until - days];
  }
  if (level === 6) {
    const name = random.integers(7);
    return [`${fromDays(days)}>${weekdays[name]}=`, fromDays(days + ((name - weekday(days) + 6) % 7) + 1)];
  }
  if (level === 7) {
    const [name, which] = [random.integers(7), between(random, 1, 4)];
    const first = toDays(year, month, 1);
    const on = first + ((name - weekday(first) + 7) % 7) + 7 * (which - 1);
    const from = between(random, 10, 999);
    return [`${year}-${two(month)}:${which}${weekdays[name]}+${from}d=`, fromDays(on + from)];
  }
  const until = toDays(between(random, 1600, 2399), between(random, 1, 12), between(random, 1, 28));
  return [`${fromDays(days)}:${fromDays(until)}=`, until - days];
}
