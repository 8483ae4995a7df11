import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "../../api/api-keys.ts";
import { IconButton } from "../../components/Button.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDate, formatDateTime } from "../../format.ts";

/** One key a line: how its token begins, what it may do, when it was last used and when it ends. */
export function KeyList({ keys, onDelete }: { keys: ApiKey[]; onDelete: (key: ApiKey) => void }) {
  const { t } = useTranslation();
  return (
    <ul aria-label={t("apiKeys.title")}>
      {keys.map((key) => (
        <li
          key={key.id}
          className="grid grid-cols-[minmax(0,1fr)_2.25rem] items-center gap-x-4 gap-y-1 border-t border-line py-3 pr-2 pl-4 first:border-t-0 md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_12rem_2.25rem]"
        >
          <div className="min-w-0">
            <div className="truncate font-medium">{key.name}</div>
            <div className="truncate text-xs text-ink-faint">
              {key.prefix}… · {key.userName}
            </div>
          </div>
          <div className="min-w-0 text-sm break-words text-ink-muted max-md:col-start-1">
            {key.scopes.join(", ")}
          </div>
          <KeyTimes apiKey={key} />
          <div className="max-md:col-start-2 max-md:row-start-1">
            <IconButton label={t("apiKeys.delete.label", { name: key.name })} onClick={() => onDelete(key)}>
              <Trash2 aria-hidden className="size-4" />
            </IconButton>
          </div>
        </li>
      ))}
    </ul>
  );
}

function KeyTimes({ apiKey }: { apiKey: ApiKey }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const { lastUsedAt, expiresAt } = apiKey;
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now;
  const exact = (time: string | null) => (time === null ? undefined : formatDateTime(time, i18n.language));
  const day = (time: string) => formatDate(time, i18n.language);
  return (
    <div className="text-xs leading-5 text-ink-faint max-md:col-start-1">
      <div title={exact(lastUsedAt)}>
        {lastUsedAt === null ? t("apiKeys.neverUsed") : t("apiKeys.lastUsed", { date: day(lastUsedAt) })}
      </div>
      <div title={exact(expiresAt)} className={expired ? "text-down-ink" : ""}>
        {expiresAt === null
          ? t("apiKeys.neverExpires")
          : t(expired ? "apiKeys.expired" : "apiKeys.expires", { date: day(expiresAt) })}
      </div>
    </div>
  );
}
