/** See server-schemas.ts beside vite.config.ts. */
declare module "*/services.ts?schemas" {
  export const ServiceCreate: object;
  export const ServiceUpdate: object;
}

declare module "*/check-result.ts?schemas" {
  export const CHECK_PHASES: object;
}

declare module "*/integrations.ts?schemas" {
  export const ACCOUNT_SHAPES: Readonly<Record<string, { create: object }>>;
}

declare module "*/channels.ts?schemas" {
  export const ChannelCreate: object;
  export const ChannelUpdate: object;
}
declare module "*/notifications.ts?schemas" {
  export const NotificationSettings: object;
}
declare module "*/devices.ts?schemas" {
  export const DeviceUpdate: object;
}
declare module "*/forms.ts?schemas" {
  export const TOOL_FORMS: readonly { name: string; subject: string; input: object }[];
}
