import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { OutsideLink } from "../../components/markdown/OutsideLink.tsx";
import { directionOf } from "../../i18n/direction.ts";

/** What people wrote of a monitor, with its addresses as links: three lines of it, and the rest when it is wanted. */
export function MonitorDescription({ text }: { text: string }) {
  const { t } = useTranslation("monitors");
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const box = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current || isWhole) return;
    const measure = () => setCut(current.scrollHeight > current.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWhole]);
  return (
    <div className="max-w-prose text-sm text-ink-muted">
      <p
        ref={box}
        dir={directionOf(text)}
        className={`whitespace-pre-line wrap-anywhere ${isWhole ? "" : "line-clamp-3"}`}
      >
        {partsOf(text).map(({ at, part, href }) =>
          href === null ? (
            part
          ) : (
            <OutsideLink key={at} href={href}>
              {part}
            </OutsideLink>
          ),
        )}
      </p>
      {(isCut || isWhole) && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 rounded-sm font-medium underline-offset-4 hover:text-ink hover:underline"
        >
          {t(isWhole ? "description.less" : "description.more")}
        </button>
      )}
    </div>
  );
}

/** A part of a text: an address that can be opened, or what stands between two. */
export interface TextPart {
  /** Where it begins in the text. */
  at: number;
  part: string;
  href: string | null;
}

/** A text in parts, by the web addresses in it. A full stop or bracket after one belongs to the sentence. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(/\bhttps?:\/\/[^\s<>"“”«»（），。；、]+/gi)) {
    const part = withoutEnding(found);
    const href = URL.parse(part)?.href;
    if (href === undefined) continue;
    if (index > from) parts.push({ at: from, part: text.slice(from, index), href: null });
    parts.push({ at: index, part, href });
    from = index + part.length;
  }
  if (from < text.length) parts.push({ at: from, part: text.slice(from), href: null });
  return parts;
}

/** A bracket that was opened in an address stays in it. */
function withoutEnding(found: string): string {
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? "";
    const isOpened =
      last === ")" && found.slice(0, end).split("(").length >= found.slice(0, end).split(")").length;
    if (!".,;:!?'*)]}".includes(last) || isOpened) break;
  }
  return found.slice(0, end);
}
