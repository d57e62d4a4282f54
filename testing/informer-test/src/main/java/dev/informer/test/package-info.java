/**
 * An embedded Kubernetes API server that speaks the real protocol over HTTP, for tests
 * and for trying things out without a cluster.
 */
@NullMarked
package dev.informer.test;

import org.jspecify.annotations.NullMarked;
