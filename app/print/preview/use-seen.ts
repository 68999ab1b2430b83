import { type RefObject, useEffect, useRef, useState } from "react";

/** Elements this far below the window count as seen, so that they are ready when they are scrolled to. */
const AHEAD = "400px";

/** Whether an element has been in view; stays true. False on the server. */
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
