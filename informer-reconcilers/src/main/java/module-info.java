/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Writer, recorder of Events and reconcilers, for applications that act on what their
 * informers show.
 */
@SuppressWarnings("module")
module dev.informer.reconcilers {

	requires transitive dev.informer;
	requires org.slf4j;

	exports dev.informer.reconcilers;
	exports dev.informer.recorder;
	exports dev.informer.writer;

}
