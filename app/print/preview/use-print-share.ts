import { type RefObject, useEffect, useState } from "react";

/** In CSS an inch is 96 pixels on every screen. */
const PIXELS_PER_POINT = 96 / 72;

/** Size of the drawing inside `ground` in per cent of the paper; null until it is measured. */
export function usePrintShare(ground: RefObject<HTMLElement>): number | null {
  const [share, setShare] = useState<number | null>(null);
  // Runs after every render, because any of them may change the size. Measuring is cheap.
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
