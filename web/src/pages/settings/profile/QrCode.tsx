import { useMemo } from "react";
import { encode } from "uqr";

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

/** A rectangle for each run of dark modules. */
function draw(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => {
    const runs: string[] = [];
    for (let x = 0; x < size; x += 1) {
      const start = x;
      while (row[x]) x += 1;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
    }
    return runs;
  });
  return { size, path: path.join("") };
}
