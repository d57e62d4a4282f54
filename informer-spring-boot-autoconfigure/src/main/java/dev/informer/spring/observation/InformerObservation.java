/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of informers.
 */
public enum InformerObservation implements ObservationDocumentation {

	/**
	 * One call of a handler, the initial list excepted. A call that is made again because
	 * one before has failed is another observation.
	 */
	HANDLER_CALL {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultInformerObservationConvention.class;
		}

		@Override
		public String getPrefix() {
			return "kubernetes.informer";
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityTags.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityTags.values();
		}

	};

	/**
	 * Keys of low cardinality: those of the timer
	 * {@code kubernetes.informer.handler.calls}, which gets {@code error} as well, the
	 * class of what was thrown.
	 */
	public enum LowCardinalityTags implements KeyName {

		/** Name of the informer. */
		INFORMER("informer"),

		/** Plural of the resource. */
		RESOURCE("resource"),

		/** Group of the resource, {@code core} for the empty one. */
		GROUP("group"),

		/** Version of the resource, {@code preferred} for the one the server prefers. */
		VERSION("version"),

		/** Name of the handler. */
		HANDLER("handler"),

		/** What it was told: added, updated or deleted. */
		EVENT("event"),

		/** Outcome of the call: success or error, unknown while it is running. */
		OUTCOME("outcome");

		private final String key;

		LowCardinalityTags(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Keys of high cardinality, for traces only.
	 */
	public enum HighCardinalityTags implements KeyName {

		/** Namespace of the object; left out for objects of the whole cluster. */
		NAMESPACE("k8s.namespace.name"),

		/** Name of the object. */
		NAME("k8s.object.name"),

		/** Resource version of the object. */
		RESOURCE_VERSION("k8s.object.resource_version");

		private final String key;

		HighCardinalityTags(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
