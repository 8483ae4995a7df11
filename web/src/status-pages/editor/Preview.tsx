import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ExternalLink, Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type FieldErrors } from "../../api/client.ts";
import {
  type PreviewRequest,
  pagePreviewQuery,
  type ShownPreview,
  type StatusPage,
  type StatusPageChange,
} from "../../api/status-pages.ts";
import { Skeleton } from "../../components/Loaded.tsx";
import { useDebounced } from "../../components/use-now.ts";
import { Select } from "../../forms/Select.tsx";
import { currentLanguage } from "../../i18n/i18n.ts";
import { type Language, languageCodes, languages } from "../../i18n/languages.ts";
import { addressOf } from "../SlugField.tsx";
import { partsWith } from "./use-wrong-part.ts";

/** Keystrokes within this time are one request. */
const quietMs = 350;
const noErrors: FieldErrors = {};

/** Against the light page and the dark one; null: there is no accent. */
export type Contrast = StatusPage["appearance"]["contrast"];

interface PreviewProps {
  page: StatusPage;
  /** What is not saved yet. */
  change: StatusPageChange;
  /** The last that could be made, which goes on when this is taken away and put back. */
  lastPreview?: ShownPreview | undefined;
  onPreview?: (shown: ShownPreview) => void;
  /** What the API finds wrong with that. */
  onErrors?: (errors: FieldErrors) => void;
  /** How well its accent is seen. */
  onContrast?: (contrast: Contrast) => void;
}

/** The page as its visitors would see it, on a phone or on a screen, by day or by night, in each language. */
export function Preview({ page, change, lastPreview, onPreview, onErrors, onContrast }: PreviewProps) {
  const { t } = useTranslation("status-pages/editor");
  const [isPhone, setPhone] = useState(false);
  const [isDark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const body = useMemo(
    (): PreviewRequest => ({ ...change, language, theme: isDark ? "dark" : "light" }),
    [change, language, isDark],
  );
  const debounced = useDebounced(body, quietMs);
  const query = useQuery({ ...pagePreviewQuery(page, debounced), enabled: debounced === body });
  const error = useOutcome(query);
  /** What is shown while the newest cannot be made. */
  const [last, setLast] = useState(query.data ?? lastPreview);
  if (query.data && query.data !== last) setLast(query.data);
  useEffect(() => {
    if (last) onPreview?.(last);
  }, [onPreview, last]);
  const { html, contrast } = last ?? {};
  const fields = error instanceof ApiError ? error.fields : noErrors;
  useEffect(() => {
    if (error !== undefined) onErrors?.(fields);
  }, [onErrors, error, fields]);
  useEffect(() => {
    if (contrast !== undefined) onContrast?.(contrast);
  }, [onContrast, contrast]);
  return (
    <section aria-label={t("preview.title")} className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-medium">{t("preview.title")}</h2>
        <div className="flex items-center gap-2">
          <Select
            aria-label={t("preview.language")}
            value={language}
            options={languageCodes.map((code) => [code, languages[code]])}
            onChange={(code) => setLanguage(code as Language)}
            className="w-28!"
          />
          <Toggles>
            <Toggle
              label={t("preview.desktop")}
              on={!isPhone}
              icon={<Monitor aria-hidden />}
              onPress={() => setPhone(false)}
            />
            <Toggle
              label={t("preview.phone")}
              on={isPhone}
              icon={<Smartphone aria-hidden />}
              onPress={() => setPhone(true)}
            />
          </Toggles>
          <Toggles>
            <Toggle
              label={t("preview.light")}
              on={!isDark}
              icon={<Sun aria-hidden />}
              onPress={() => setDark(false)}
            />
            <Toggle
              label={t("preview.dark")}
              on={isDark}
              icon={<Moon aria-hidden />}
              onPress={() => setDark(true)}
            />
          </Toggles>
        </div>
      </div>
      {html === undefined && !error && <Skeleton className="h-128 w-full" />}
      {error && (html === undefined || Object.keys(fields).length > 0) && (
        <p role="status" className="text-sm text-warn-ink">
          {t(html === undefined ? "preview.failed" : "preview.waits")} <WrongParts of={fields} />
        </p>
      )}
      {html !== undefined && (
        <PreviewFrame
          html={html}
          title={t("preview.frame", { name: page.name })}
          widthPx={isPhone ? 390 : 880}
          onLanguage={(code) => {
            const known = languageCodes.find((one) => one === code);
            if (known) setLanguage(known);
          }}
        />
      )}
    </section>
  );
}

/**
 * Null: it succeeded, undefined: no answer yet. It holds while another request is under way, as one is sent
 * whenever something happens.
 */
function useOutcome({ error, isPending, isPlaceholderData }: UseQueryResult<ShownPreview>) {
  const [outcome, setOutcome] = useState<Error | null>();
  if (isPending || isPlaceholderData || error === outcome) return outcome;
  setOutcome(error);
  return error;
}

/** Which parts of the editor have to be corrected. */
function WrongParts({ of }: { of: FieldErrors }) {
  const { t, i18n } = useTranslation("status-pages/editor");
  const names = partsWith(of).map((part) => t(`part.${part}`));
  if (names.length === 0) return null;
  return t("preview.wrong", { parts: new Intl.ListFormat(i18n.language).format(names) });
}

const Toggles = ({ children }: { children: ReactNode }) => (
  <div className="flex rounded-md border border-line-strong bg-surface p-0.5 shadow-card">{children}</div>
);

interface ToggleProps {
  label: string;
  on: boolean;
  icon: ReactNode;
  onPress: () => void;
}

function Toggle({ label, on, icon, onPress }: ToggleProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={on}
      title={label}
      onClick={onPress}
      className="grid size-7.5 place-items-center rounded-sm text-ink-faint hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink [&>svg]:size-4"
    >
      {icon}
    </button>
  );
}

interface PreviewFrameProps {
  html: string;
  title: string;
  /** The width of the window that the page is rendered for. */
  widthPx: number;
  /** A language was chosen in it. */
  onLanguage: (code: string) => void;
}

interface Version {
  number: number;
  html: string;
}

/**
 * Runs no script and leads nowhere. A new version is laid out behind the shown one and takes its place,
 * scrolled as far.
 */
function PreviewFrame({ html, title, widthPx, onLanguage }: PreviewFrameProps) {
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

/** Leads to the page itself, as its visitors find it. */
export function OpenLink({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages");
  return (
    <a
      href={addressOf(page)}
      target="_blank"
      rel="noreferrer"
      className="inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-md border border-line-strong bg-surface px-3.5 font-medium whitespace-nowrap text-ink shadow-card transition-colors hover:bg-hover max-sm:px-2.5"
    >
      <ExternalLink aria-hidden className="size-4" />
      <span className="max-sm:sr-only">{t("action.open")}</span>
    </a>
  );
}
