import { useEffect, useState } from "react";
import { useHydrated } from "~/ui/use-hydrated";
import { drawSmaller, isSmall, toPictureUrl } from "./picture-file";

/**
 * The URL of an image: the file itself when it is small or came with the server's page, else a smaller copy made in a
 * worker. Null until the copy is ready; `failed` when it cannot be made.
 */
export function usePicture(
  base64: string,
  kind: "jpeg" | "png",
  widthPx: number,
): { href: string | null; failed: boolean } {
  const hydrated = useHydrated();
  const [came] = useState(hydrated ? null : base64);
  const whole = isSmall(base64) || came === base64;
  const [copy, setCopy] = useState<{ of: string; href: string | null }>();
  useEffect(() => {
    if (whole) return;
    let wanted = true;
    drawSmaller(base64, kind, widthPx).then(
      (href) => wanted && setCopy({ of: base64, href }),
      () => wanted && setCopy({ of: base64, href: null }),
    );
    return () => {
      wanted = false;
    };
  }, [base64, kind, widthPx, whole]);
  if (whole) return { href: toPictureUrl(base64, kind), failed: false };
  const ready = copy?.of === base64 ? copy : null;
  return { href: ready?.href ?? null, failed: ready !== null && ready.href === null };
}
