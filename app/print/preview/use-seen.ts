import { type RefObject, useEffect, useRef, useState } from "react";

/** How far below the window something counts as seen, so that it is there when it is scrolled to. */
const AHEAD = "400px";

/** Whether an element has come into view; true from then on. False on the server. */
export function useSeen(): [RefObject<HTMLDivElement>, boolean] {
  const element = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, seen];
}
