import { useTranslation } from "react-i18next";

/** What fields and their choices are called; what nobody has named yet keeps the API's name. */
export function useToolWords() {
  const { t, i18n } = useTranslation("toolbox");
  const wordOf = (key: string, otherwise: string) =>
    i18n.exists(`toolbox:${key}`) ? t(key as "title") : otherwise;
  return {
    field: (name: string) => wordOf(`field.${name}`, name),
    choice: (name: string, value: string) => wordOf(`choice.${name}.${value}`, value),
  };
}
