/** See wire-schemas.ts beside vite.config.ts. */
declare module "*/service-input.ts?schemas" {
  export const ServiceCreate: object;
  export const ServiceUpdate: object;
}
