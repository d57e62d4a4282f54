/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Primary object of the compared controllers, for the Java Operator SDK.
 */
@Group("bench.example.com")
@Version("v1")
@Kind("Widget")
@Plural("widgets")
public class SdkWidget extends CustomResource<SdkWidget.Spec, SdkWidget.Status> implements Namespaced {

	public record Spec(String text, int number) {
	}

	public record Status(int observed) {
	}

}
