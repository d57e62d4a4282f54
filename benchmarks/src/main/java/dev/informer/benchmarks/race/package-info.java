/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Looks for races in parts of the informers, with jcstress: many small objects of which
 * two threads make use once, and all that can come of it. Not null-marked, since jcstress
 * generates classes into this package.
 */
package dev.informer.benchmarks.race;
