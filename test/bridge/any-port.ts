/** For a bridge that has to start a hub: the usual port may be in use by the person who runs the tests. */
export const anyPort = { COTERIE_PORT: '0' };
