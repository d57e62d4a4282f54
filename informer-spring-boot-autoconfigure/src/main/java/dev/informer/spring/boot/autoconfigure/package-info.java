/**
 * Auto-configuration of informers, their handlers and their lifecycle.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
