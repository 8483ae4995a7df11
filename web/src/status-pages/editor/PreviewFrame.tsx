import { type SyntheticEvent, useEffect, useRef, useState } from "react";

interface PreviewFrameProps {
  html: string;
  title: string;
  /** How wide a window the page believes to be in. */
  widthPx: number;
  /** A language was chosen in it. */
  onLanguage: (code: string) => void;
}

interface Version {
  number: number;
  html: string;
}

/**
 * A document in a frame that runs no script and leads nowhere. A new version is laid out behind the one that is shown and takes its
 * place, scrolled as far, once it is there.
 */
export function PreviewFrame({ html, title, widthPx, onLanguage }: PreviewFrameProps) {
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(place);
  const [versions, setVersions] = useState<readonly Version[]>([{ number: 0, html }]);
  const [shown, setShown] = useState(0);
  const newest = versions.at(-1);
  if (newest && newest.html !== html) {
    setVersions([...versions.filter(({ number }) => number === shown), { number: newest.number + 1, html }]);
  }
  const scale = width === 0 ? 1 : Math.min(1, width / widthPx);
  const frames = useRef(new Map<number, HTMLIFrameElement>());
  const onLoad = ({ currentTarget: frame }: SyntheticEvent<HTMLIFrameElement>, number: number) => {
    const inner = frame.contentDocument;
    if (!inner) return;
    const scrolled = frames.current.get(shown)?.contentWindow?.scrollY ?? 0;
    if (number !== shown) frame.contentWindow?.scrollTo(0, scrolled);
    inner.addEventListener("click", (event) => followNothing(event, onLanguage));
    setShown(number);
    setVersions((now) => now.filter((one) => one.number >= number));
  };
  return (
    <div
      ref={place}
      className="relative h-[min(70dvh,44rem)] overflow-hidden rounded-lg border border-line bg-surface shadow-card xl:h-[calc(100dvh-9rem)]"
    >
      {versions.map(({ number, html: document }) => (
        <iframe
          key={number}
          ref={(frame) => {
            if (frame) frames.current.set(number, frame);
            else frames.current.delete(number);
          }}
          title={title}
          srcDoc={document}
          sandbox="allow-same-origin"
          aria-hidden={number !== shown}
          tabIndex={number === shown ? undefined : -1}
          onLoad={(event) => onLoad(event, number)}
          style={{
            width: widthPx,
            height: scale === 0 ? height : height / scale,
            left: Math.max(0, (width - widthPx * scale) / 2),
            transform: `scale(${scale})`,
            visibility: number === shown ? "visible" : "hidden",
          }}
          className="absolute top-0 origin-top-left border-0"
        />
      ))}
    </div>
  );
}

/** Links of a preview lead nowhere, but for those of the languages. */
function followNothing(event: MouseEvent, onLanguage: (code: string) => void): void {
  const link = (event.target as Element | null)?.closest?.("a");
  if (!link) return;
  event.preventDefault();
  if (link.hreflang !== "") onLanguage(link.hreflang);
}

function useSize(place: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return size;
}
