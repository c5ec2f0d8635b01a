/** A problem outside the program (a file, a port, a certificate). The message is a complete sentence for the user. */
export class Unusable extends Error {}
