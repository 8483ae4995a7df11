import { useTranslation } from "react-i18next";
import type { SignIn } from "../../api/profile.ts";
import { deviceOf } from "./device-name.ts";

/** Says what somebody signed in with: "Firefox on Linux". */
export function useDeviceName() {
  const { t } = useTranslation("settings/profile");
  return ({ userAgent }: Pick<SignIn, "userAgent">): string => {
    const { browser, system } = deviceOf(userAgent);
    if (browser && system) return t("signIns.device", { browser, system });
    return browser ?? system ?? t("signIns.unknownDevice");
  };
}
