import { type RefObject, useEffect, useState } from "react";

/** As browsers count: an inch is 96 pixels on every screen. */
const PIXELS_PER_POINT = 96 / 72;

/** How large the drawing inside `ground` is, in per cent of paper; null until it is measured. */
export function usePrintShare(ground: RefObject<HTMLElement>): number | null {
  const [share, setShare] = useState<number | null>(null);
  // After every change, as it may have been one of size; measuring is cheap, and the same figure changes nothing.
  useEffect(() => {
    const element = ground.current;
    if (!element) return;
    const measure = () => {
      const scale = element.querySelector("svg")?.getScreenCTM()?.a;
      setShare(scale ? Math.round((scale / PIXELS_PER_POINT) * 100) : null);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  });
  return share;
}
