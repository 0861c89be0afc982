import type { Generator } from "@reins/core/random";
import { between, letters, some } from "../random.ts";
import { worded } from "../single.ts";

const az = "abcdefghijklmnopqrstuvwxyz";

/** Enciphers one letter, from its index in the alphabet and in the text. */
type Cipher = (letter: number, place: number) => number;

/** Number of letters to decipher at each level. */
const lengths = [3, 4, 8, 8, 10, 10, 12, 24];

/**
 * Ciphers: a shift (+3), a table (abc>xyz), an example of the shift (cat>fdw), a key word (key+), an affine formula
 * (5x+3).
 */
export const ciphers = worded({
  id: "ciphers",
  about: "Decipher a text.",
  levels: lengths.length,
  alphabet: `${az}0123456789+>:=`,
  longest: { prompt: 32, answer: 24 },
  form: /^[a-z]+$/,
  make(random, level) {
    const length = lengths[level - 1];
    if (level === 4) {
      const [plain, secret] = [some(random, 6, az).sort().join(""), some(random, 6, az).join("")];
      const text = letters(random, length, plain);
      const written = [...text].map((c) => secret[plain.indexOf(c)]).join("");
      return [`${plain}>${secret}:${written}=`, text];
    }
    const text = letters(random, length, az);
    const [key, cipher] = draw(random, level);
    return [`${key}:${enciphered(text, cipher)}=`, text];
  },
});

function draw(random: Generator, level: number): [string, Cipher] {
  const shift = between(random, 1, level === 1 ? 3 : 25);
  if (level < 4) return [`+${shift}`, (x) => x + shift];
  if (level === 5) {
    const known = letters(random, 3, az);
    return [`${known}>${enciphered(known, (x) => x + shift)}`, (x) => x + shift];
  }
  if (level === 7) {
    // Only factors coprime to 26 are invertible.
    const factor = random.choice([3, 5, 7, 9, 11, 15, 17, 19, 21, 23]);
    return [`${factor}x+${shift}`, (x) => factor * x + shift];
  }
  const word = letters(random, level === 6 ? 2 : 5, az);
  return [`${word}+`, (x, i) => x + az.indexOf(word[i % word.length])];
}

const enciphered = (text: string, cipher: Cipher): string =>
  [...text].map((c, i) => az[cipher(az.indexOf(c), i) % 26]).join("");
