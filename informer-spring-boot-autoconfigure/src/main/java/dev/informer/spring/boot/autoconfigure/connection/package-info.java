/**
 * Auto-configuration of the connection to the API server.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.connection;

import org.jspecify.annotations.NullMarked;
