import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/client.ts";
import { type StatusPage, slugQuery } from "../api/status-pages.ts";
import { Field } from "../components/Field.tsx";
import { useDebounced } from "../components/use-now.ts";
import { apiPaths } from "../paths.ts";

const quietMs = 300;
/** No problem is shown while the slug is being typed. */
const leastLength = 3;

interface SlugFieldProps {
  slug: string;
  /** It is known to be free, or the page's own. */
  isOwn: boolean;
  errors: string[] | undefined;
  /** The page has another address until it is saved, which people may use already. */
  isMoving?: boolean;
  /** The page that gets it; absent: a new one. */
  pageUuid?: string;
  onChange: (slug: string) => void;
}

/** The last part of a page's address; while it is typed, whether it can be had. */
export function SlugField(props: SlugFieldProps) {
  const { slug, isOwn, errors, isMoving = false, pageUuid, onChange } = props;
  const { t } = useTranslation("status-pages");
  const wanted = useDebounced(slug, quietMs);
  const isChecked = !isOwn && wanted.length >= leastLength;
  const { data, error } = useQuery({ ...slugQuery(wanted), enabled: isChecked });
  const isUpToDate = isChecked && wanted === slug;
  const found = isUpToDate && error instanceof ApiError ? error.fields["slug"] : undefined;
  const isFree = isUpToDate && data?.slug === slug && !error;
  const former = isFree && data.formerOf?.uuid !== pageUuid ? data.formerOf : null;
  const prefix = `${location.host}${apiPaths.visitorsPage("")}`;
  return (
    <div className="grid gap-1.5">
      <Field
        label={t("slug.label")}
        hint={t("slug.hint", { address: `${prefix}${slug === "" ? "…" : slug}` })}
        errors={found ?? errors}
        value={slug}
        maxLength={64}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value.toLowerCase().replaceAll(" ", "-"))}
      />
      <p role="status" className="flex items-center gap-1.5 text-sm text-up-ink empty:hidden">
        {isFree && (
          <>
            <CircleCheck aria-hidden className="size-3.5 shrink-0" />
            {t("slug.free")}
          </>
        )}
      </p>
      <p role="status" className="text-sm text-pretty wrap-anywhere text-warn-ink empty:hidden">
        {former && t("slug.ending", { name: former.name })}
      </p>
      {isMoving && <p className="text-sm text-pretty text-ink-muted">{t("slug.moved")}</p>}
    </div>
  );
}

type Addressed = Pick<StatusPage, "url" | "slug">;

/** Where visitors find a page: as the installation knows it, else as this browser reaches it. */
export const addressOf = ({ url, slug }: Addressed): string =>
  url ?? location.origin + apiPaths.visitorsPage(slug);

/** The same without what every address begins with. */
export const shortAddressOf = (page: Addressed): string => addressOf(page).replace(/^https?:\/\//, "");
