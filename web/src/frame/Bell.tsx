import { Bell as BellIcon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnread } from "../api/notices.ts";
import { formatCount } from "../i18n/format.ts";
import { RowName, rowLook } from "./NavLink.tsx";
import { NoticesSheet } from "./NoticesSheet.tsx";

/** The API counts to 1,000, and an icon has room for two digits. */
const mostShown = { row: 999, corner: 99 };

/** A row of the frame that opens what people were told. */
export function Bell({ rail }: { rail: boolean }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const unread = useUnread();
  return (
    <>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(true)} className={rowLook}>
        <BellIcon aria-hidden />
        <RowName rail={rail}>{t("bell.title")}</RowName>
        <UnreadCount count={unread} corner={rail} />
      </button>
      {isOpen && <NoticesSheet onClose={() => setOpen(false)} />}
    </>
  );
}

/** How many are unread; nothing where none is. `corner`: on an icon. */
export function UnreadCount({ count, corner }: { count: number; corner: boolean }) {
  const { t, i18n } = useTranslation();
  if (count === 0) return null;
  const most = mostShown[corner ? "corner" : "row"];
  const place = corner ? "absolute -top-1 left-4 h-4 min-w-4 px-1 leading-4" : "h-5 min-w-5 px-1.5 leading-5";
  return (
    <span
      className={`rounded-full bg-action text-center text-xs font-medium text-on-action tabular-nums ${place}`}
    >
      <span aria-hidden>
        {formatCount(Math.min(count, most), i18n.language)}
        {count > most && "+"}
      </span>
      <span className="sr-only">{t("bell.unread", { count })}</span>
    </span>
  );
}
