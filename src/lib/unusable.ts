/** Something outside (a file, a port, a certificate) that the program cannot work with. The message is the sentence. */
export class Unusable extends Error {}
