const SOME_TIME = Temporal.Instant.fromEpochMilliseconds(0);

/** A time zone as the IANA database writes its name: any case is taken, and no other is stored. */
export const ianaName = (timeZone: string): string => SOME_TIME.toZonedDateTimeISO(timeZone).timeZoneId;
