/**
 * What an application needs to know of its informers when it was built ahead of time.
 */
@NullMarked
package dev.informer.spring.boot.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
