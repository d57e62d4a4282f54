/**
 * Which API server an application talks to, and how.
 */
@NullMarked
package dev.informer.spring.connection;

import org.jspecify.annotations.NullMarked;
