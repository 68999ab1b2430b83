/** Marks that belong to the letter: dots of shin and sin, dagesh, rafe, holam; shadda. */
const FIRST = "\u05C1\u05C2\u05BC\u05BF\u05B9\u05BA\u0651";
const MARKS = /[\u0591-\u05C7\u064B-\u0655\u0670]{2,}/gu;

/**
 * Sorts Hebrew and Arabic marks into the order in which fonts expect them. In Unicode's order the vowel comes between a
 * letter and its dot, or below a shadda instead of above.
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
