export interface Typeface {
  /** Advance widths by code point in 1/1000 em; 0 when unknown. */
  widths: Uint16Array;
  /** Width of characters that are not in the table, in 1/1000 em. */
  fallback: number;
  /** Height above and below the baseline, and line height, in em. */
  ascent: number;
  descent: number;
  leading: number;
  /** CSS font family: the font, others with the same metrics, and a generic one. */
  family: string;
}

/** The characters whose widths are known. A letter with an accent is as wide as without it. */
const MEASURED = [
  ..." !\"#$%&'()*+,-./0123456789:;<=>?@",
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`",
  ..."abcdefghijklmnopqrstuvwxyz{|}~",
  ..."–—‘’‚“”„†•…‰‹›€™ŒœŠšŸŽž",
].map((character) => character.charCodeAt(0));

/** @param widths of the characters of {@link MEASURED}, in its order */
function toTable(widths: string): Uint16Array {
  const table = new Uint16Array(Math.max(...MEASURED) + 1);
  for (const [at, width] of widths.trim().split(/\s+/).entries()) table[MEASURED[at] ?? 0] = Number(width);
  return table;
}

const COURIER_WIDTH = 600;

/**
 * Advance widths in 1/1000 em of the regular styles. Generated from fonts with the same metrics: Arimo (Arial, Helvetica),
 * Liberation Serif (Times, Times New Roman), Gelasio (Georgia), Comic Relief (Comic Sans MS); Verdana from the measured
 * table of the npm package anafanafo.
 */
const SANS: Typeface = {
  widths: toTable(`
    278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556
    556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778
    667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556
    556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584 556
    1000 222 222 222 333 333 333 556 350 1000 1000 333 333 556 1000 1000 944 667 500 667 611 500
  `),
  fallback: 556,
  ascent: 0.905,
  descent: 0.212,
  leading: 1.15,
  family: "Arial, Arimo, 'Liberation Sans', Helvetica, sans-serif",
};
const SERIF: Typeface = {
  widths: toTable(`
    250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500
    500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722
    556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500
    500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541 500
    1000 333 333 333 444 444 444 500 350 1000 1000 333 333 500 980 889 722 556 389 722 611 444
  `),
  fallback: 500,
  ascent: 0.891,
  descent: 0.216,
  leading: 1.15,
  family: "'Times New Roman', Tinos, 'Liberation Serif', Times, serif",
};
const MONO: Typeface = {
  widths: toTable(`${COURIER_WIDTH} `.repeat(MEASURED.length)),
  fallback: COURIER_WIDTH,
  ascent: 0.833,
  descent: 0.3,
  leading: 1.133,
  family: "'Courier New', Cousine, 'Liberation Mono', Courier, monospace",
};
const TYPEFACES: Readonly<Record<string, Typeface>> = {
  Arial: SANS,
  Helvetica: SANS,
  Times: SERIF,
  "Times New Roman": SERIF,
  Courier: MONO,
  "Courier New": MONO,
  Verdana: {
    widths: toTable(`
    352 394 459 818 635 1076 726 268 455 455 635 818 364 455 364 455 635 635 635 635 635 635 635 635
    635 635 455 455 818 818 818 545 1000 684 685 698 771 633 575 775 752 421 455 693 556 843 748 787
    603 787 695 684 616 732 684 989 685 615 685 455 455 455 818 635 635 601 623 521 623 595 352 623
    633 275 345 592 275 973 633 607 623 623 426 521 394 633 592 818 592 592 525 635 455 635 818 635
    1000 268 268 268 459 459 459 635 545 818 1522 455 455 635 976 1070 982 684 521 615 685 525
  `),
    fallback: 600,
    ascent: 1.005,
    descent: 0.21,
    leading: 1.215,
    family: "Verdana, 'DejaVu Sans', sans-serif",
  },
  Georgia: {
    widths: toTable(`
    241 331 412 643 610 817 710 215 375 375 472 643 270 374 270 469 614 430 559 552 565 528 566 502
    596 566 313 313 643 643 643 479 929 671 654 642 749 653 599 725 815 390 518 694 604 927 767 744
    610 744 702 561 619 756 667 976 710 615 602 375 469 375 643 643 500 504 560 454 574 483 325 509
    582 293 292 536 286 881 591 539 571 560 410 432 345 575 497 737 505 492 444 430 375 430 643 643
    857 227 227 227 410 410 410 472 393 807 1206 415 415 642 942 998 816 561 432 615 602 444
  `),
    fallback: 530,
    ascent: 0.917,
    descent: 0.219,
    leading: 1.136,
    family: "Georgia, Gelasio, 'DejaVu Serif', serif",
  },
  "Comic Sans MS": {
    widths: toTable(`
    299 238 424 843 693 820 654 388 366 366 530 480 277 417 249 512 610 450 610 610 610 610 610 610
    610 610 299 299 381 510 381 524 931 731 630 603 722 625 607 680 768 546 665 611 551 883 797 798
    521 876 628 693 680 737 650 1040 724 635 693 376 550 376 581 627 556 512 593 514 587 548 508 531
    578 280 403 540 274 777 523 526 535 520 480 487 471 520 486 684 590 521 538 366 421 366 598 441
    883 180 180 299 394 394 412 597 387 675 1241 381 381 610 883 1194 897 693 487 635 693 538
  `),
    fallback: 550,
    ascent: 1.102,
    descent: 0.291,
    leading: 1.394,
    family: "'Comic Sans MS', 'Comic Relief', 'Comic Neue', cursive",
  },
};

/** Finds the typeface of a `font` value; Arial for "" and unknown names. */
export function findTypeface(font: string): Typeface {
  return (Object.hasOwn(TYPEFACES, font) ? TYPEFACES[font] : undefined) ?? SANS;
}
