import { useTranslation } from "react-i18next";
import { type PushBrowser, useTestPush, useUnsubscribe } from "../../api/push.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { formatDateTime } from "../../i18n/format.ts";
import { showToast } from "../../toasts.ts";
import { useDeviceName } from "../profile/use-device-name.ts";
import { SettingRow } from "../SettingRow.tsx";

/** Another browser in which the reader is told what happens. */
export function OtherBrowser({ browser }: { browser: PushBrowser }) {
  const { t, i18n } = useTranslation("settings/notifications");
  const name = useDeviceName()(browser);
  const test = useTestPush();
  const removing = useUnsubscribe();
  const remove = () =>
    removing.mutate(browser, { onSuccess: () => showToast("success", t("other.removed", { name })) });
  const failure = removing.error?.message ?? test.error?.message;
  const refused = test.data && !test.data.accepted ? test.data.answer : undefined;
  return (
    <>
      <SettingRow
        title={name}
        text={t("other.since", { time: formatDateTime(browser.createdAt, i18n.language) })}
      >
        <Button
          variant="quiet"
          busy={test.isPending}
          aria-label={t("other.testOf", { name })}
          onClick={() => test.mutate(browser)}
        >
          {t("test")}
        </Button>
        <Button
          variant="quiet"
          busy={removing.isPending}
          aria-label={t("other.removeOf", { name })}
          onClick={remove}
        >
          {t("other.remove")}
        </Button>
      </SettingRow>
      {(failure ?? refused ?? test.data) !== undefined && !test.isPending && (
        <div className="px-4 pb-4 wrap-anywhere">
          <Notice tone={failure || refused ? "error" : "info"}>{failure ?? refused ?? t("sent")}</Notice>
        </div>
      )}
    </>
  );
}
