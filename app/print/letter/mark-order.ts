/** Marks that are part of the letter: dots of shin and sin, dagesh, rafe, holam; shadda. */
const FIRST = "\u05C1\u05C2\u05BC\u05BF\u05B9\u05BA\u0651";
const MARKS = /[\u0591-\u05C7\u064B-\u0655\u0670]{2,}/gu;

/**
 * The text with Hebrew and Arabic marks in the order in which fonts put them on a letter: Unicode's own has
 * the vowel between a letter and its dot, or under a shadda where it belongs above.
 */
export function orderMarks(text: string): string {
  return text.replace(MARKS, (marks) => {
    const ordered = [...marks].sort((one, other) => findRank(one) - findRank(other));
    return ordered.join("");
  });
}

function findRank(mark: string): number {
  const rank = FIRST.indexOf(mark);
  return rank === -1 ? FIRST.length : rank;
}
