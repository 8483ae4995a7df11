import { ExternalLink, Lock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { choosePage, chosenPages, type PageChoice, type PageToTell } from "../api/incident-pages.ts";
import { Tick } from "../forms/Tick.tsx";
import { apiPaths } from "../paths.ts";

interface PagesFieldProps {
  /** Those that show what the incident affects. */
  pages: readonly PageToTell[];
  choice: PageChoice;
  /** As it was when the form was opened. */
  before: PageChoice;
  onChange: (choice: PageChoice) => void;
}

/** On which status pages an update is shown; where there is none, that nobody outside reads it. */
export function PagesField({ pages, choice, before, onChange }: PagesFieldProps) {
  const { t } = useTranslation("incidents");
  if (pages.length === 0) return <p className="text-sm text-ink-muted">{t("publish.nowhere")}</p>;
  const chosen = chosenPages(pages, choice);
  return (
    <fieldset className="min-w-0 text-sm">
      <legend className="mb-2 font-medium">{t("publish.label")}</legend>
      <ul className="-m-1 flex max-h-44 flex-wrap gap-x-5 gap-y-2 overflow-y-auto p-1">
        {pages.map((page) => (
          <li key={page.uuid} className="flex max-w-full min-w-0 items-start gap-1.5">
            <Tick
              type="checkbox"
              checked={chosen.includes(page)}
              onChange={(on) => onChange(choosePage(pages, choice, { uuid: page.uuid, on, before }))}
            >
              {page.name}
              {!page.isPublic && <MembersOnly />}
            </Tick>
            <OpenPage page={page} />
          </li>
        ))}
      </ul>
      <p role="status" className="mt-2 text-ink-muted empty:hidden">
        {chosen.length === 0 && t("publish.none")}
      </p>
    </fieldset>
  );
}

function MembersOnly() {
  const { t } = useTranslation("incidents");
  return (
    <span className="text-ink-faint">
      {" "}
      <Lock aria-hidden className="mb-0.5 inline size-3" /> {t("publish.members")}
    </span>
  );
}

function OpenPage({ page: { name, slug } }: { page: PageToTell }) {
  const { t } = useTranslation("incidents");
  const label = t("publish.open", { name });
  return (
    <a
      href={apiPaths.visitorsPage(slug)}
      target="_blank"
      rel="noreferrer"
      aria-label={label}
      title={label}
      className="-my-1 grid size-7 shrink-0 place-items-center rounded-md text-ink-faint hover:bg-hover hover:text-ink"
    >
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
}
