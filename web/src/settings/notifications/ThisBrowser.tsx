import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type PushBrowser, useSubscribe, useTestPush, useUnsubscribe } from "../../api/push.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import { PushError, pushObstacle, subscribeThisBrowser, unsubscribeThisBrowser } from "../../push.ts";
import { SettingRow } from "../SettingRow.tsx";

/** Whether messages are shown in the browser that the reader has before them, and what can be done about it. */
export function ThisBrowser({
  publicKey,
  subscribed,
}: {
  publicKey: string;
  subscribed: PushBrowser | null;
}) {
  const { t } = useTranslation("settings/notifications");
  const [obstacle, setObstacle] = useState(pushObstacle);
  const subscribing = useSubscribe(subscribeThisBrowser);
  const unsubscribing = useUnsubscribe();
  const test = useTestPush();
  const isOn = subscribed !== null && obstacle === null;
  const turnOn = () => subscribing.mutate(publicKey, { onSettled: () => setObstacle(pushObstacle()) });
  const turnOff = () => {
    if (!subscribed) return;
    test.reset();
    unsubscribing.mutate(subscribed, { onSuccess: () => void unsubscribeThisBrowser() });
  };
  const failure = unsubscribing.error ?? test.error ?? subscribing.error;
  return (
    <>
      <SettingRow
        title={t("here.title")}
        text={obstacle === null ? t(isOn ? "here.on" : "here.off") : t(`obstacle.${obstacle}`)}
      >
        {isOn && (
          <Button variant="quiet" busy={test.isPending} onClick={() => test.mutate(subscribed)}>
            {t("test")}
          </Button>
        )}
        {obstacle === null && (
          <Button
            variant={isOn ? "quiet" : "primary"}
            busy={subscribing.isPending || unsubscribing.isPending}
            onClick={isOn ? turnOff : turnOn}
          >
            {t(isOn ? "here.turnOff" : "here.turnOn")}
          </Button>
        )}
      </SettingRow>
      {failure && obstacle === null && (
        <div className="px-4 pb-4">
          <Notice tone="error">
            {failure instanceof PushError ? t(`obstacle.${failure.obstacle}`) : failure.message}
          </Notice>
        </div>
      )}
      {test.data && !test.isPending && (
        <div className="px-4 pb-4 wrap-anywhere">
          <Notice tone={test.data.accepted ? "info" : "error"}>
            {test.data.accepted ? t("sent") : test.data.answer}
          </Notice>
        </div>
      )}
    </>
  );
}
