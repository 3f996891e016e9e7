/**
 * Number of the field in which our protobuf exports carry ResourceLogs beside ResourceSpans. OTLP has a message for each signal and none for
 * both; who reads such a file as traces passes over a field that it doesn't know.
 */
export const LOGS_FIELD = 1000
