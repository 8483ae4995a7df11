import { Search, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";

interface SearchBoxProps {
  /** What it finds. */
  label: string;
  search: string;
  onSearch: (search: string) => void;
}

/** Narrows a list by what is typed. `/` puts the cursor here from anywhere on the page; Escape empties it. */
export function SearchBox({ label, search, onSearch }: SearchBoxProps) {
  const { t } = useTranslation("list");
  const box = useRef<HTMLInputElement>(null);
  /** While somebody types: the address follows a moment later, and must not take letters back until then. */
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? search;
  const type = (text: string) => {
    setTyped(text);
    onSearch(text);
  };
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: "/", text: label, group: "page", run: () => box.current?.focus() }],
    [label],
  );
  useShortcuts(shortcuts);
  return (
    <div className="relative w-full sm:w-80">
      <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-ink-faint" />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        aria-keyshortcuts="/"
        value={shown}
        maxLength={255}
        onChange={({ target }) => type(target.value)}
        onKeyDown={({ key }) => key === "Escape" && type("")}
        onBlur={() => setTyped(null)}
        className="control appearance-none pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden"
      />
      {shown === "" ? (
        <kbd
          aria-hidden
          className="pointer-events-none absolute top-2 right-2 hidden size-5 place-items-center rounded-sm border border-line font-sans text-xs text-ink-faint sm:grid"
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label={t("search.clear")}
          onClick={() => {
            type("");
            box.current?.focus();
          }}
          className="absolute inset-y-0 right-0 grid w-9 place-items-center rounded-md text-ink-faint hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
