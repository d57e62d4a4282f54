/**
 * What to do when an application with informers does not start.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
