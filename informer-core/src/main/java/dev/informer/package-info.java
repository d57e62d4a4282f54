/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * API of the informer. An {@link dev.informer.InformerFactory} creates
 * {@link dev.informer.SharedIndexInformer informers}, each a live, indexed cache of one
 * Kubernetes resource. A {@link dev.informer.Lister} reads the cache,
 * {@link dev.informer.ResourceEventHandler handlers} receive its events.
 * <p>
 * The path of the data through the packages: {@code client} lists and watches,
 * {@code reflector} keeps a list and watch running, {@code cache} queues and stores the
 * changes, {@code processor} delivers events to handlers, and {@code controller} wires
 * them together. No package depends on a later one. The one exception is
 * {@link dev.informer.InformerFactory#create}, which instantiates the default
 * implementation.
 */
@NullMarked
package dev.informer;

import org.jspecify.annotations.NullMarked;
