/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import dev.informer.client.CustomResource;

/**
 * Model of the custom resource for which replicas write.
 */
@CustomResource(group = "fault.informer.dev", version = "v1", plural = "gadgets")
class Gadget extends Widget {

}
