import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { readNewSession } from "../../api/session.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { safeReturnPath } from "../../paths.ts";
import { SignInSteps } from "./SignInSteps.tsx";

const route = getRouteApi("/sign-in");

/** Where people sign in; it leads on to the page that they came for. */
export function SignInPage() {
  const { t } = useTranslation("signed-out/sign-in");
  usePageTitle(t("pageTitle"));
  const client = useQueryClient();
  const router = useRouter();
  const { ended, from } = route.useSearch();
  const enter = async () => {
    await readNewSession(client);
    router.history.push(safeReturnPath(from));
  };
  return (
    <SignInSteps
      title={t("title")}
      text={ended && t("expired")}
      submitLabel={t("submit")}
      onSignedIn={enter}
    />
  );
}
