import { useMemo } from "react";
import { encode } from "uqr";
import { pathOf } from "./modules-path.ts";

/** A text as a QR code, drawn here: nobody else learns of it. Dark on light in both themes, as cameras need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-md border border-line bg-surface text-ink [color-scheme:light]"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

function draw(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  return { size, path: pathOf(data) };
}
