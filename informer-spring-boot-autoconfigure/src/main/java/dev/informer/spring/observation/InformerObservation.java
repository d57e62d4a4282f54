/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.Locale;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * Observations of informers.
 */
public enum InformerObservation implements ObservationDocumentation {

	/**
	 * Invocation of a handler, except for events of the initial list. A retry is another
	 * observation.
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

	},

	/**
	 * Write of an object, also one that sends nothing because nothing would change.
	 */
	WRITE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultWriteObservationConvention.class;
		}

		@Override
		public String getPrefix() {
			return "kubernetes.informer";
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return WriteTags.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityTags.NAMESPACE, HighCardinalityTags.NAME };
		}

	},

	/**
	 * Call of a reconciler or its cleanup. A retry is another observation.
	 */
	RECONCILE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultReconcileObservationConvention.class;
		}

		@Override
		public String getPrefix() {
			return "kubernetes.informer";
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return ReconcileTags.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityTags.NAMESPACE, HighCardinalityTags.NAME };
		}

	};

	/**
	 * Low cardinality keys of invocations: those of the timer
	 * {@code kubernetes.informer.handler.calls}, which has the additional key
	 * {@code error} with the class of the exception.
	 */
	public enum LowCardinalityTags implements KeyName {

		/**
		 * Name of the informer.
		 */
		INFORMER,

		/**
		 * Plural of the resource.
		 */
		RESOURCE,

		/**
		 * Group of the resource; {@code core} for the core group.
		 */
		GROUP,

		/**
		 * Version of the resource; {@code preferred} for the version that the server
		 * prefers.
		 */
		VERSION,

		/**
		 * Name of the handler.
		 */
		HANDLER,

		/**
		 * Type of the event: added, updated or deleted.
		 */
		EVENT,

		/**
		 * Outcome of the invocation: success or error; unknown while it is running.
		 */
		OUTCOME;

		@Override
		public String asString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Low cardinality keys of writes: those of the timer
	 * {@code kubernetes.informer.writes}, which has the additional key {@code error} with
	 * the class of the exception.
	 */
	public enum WriteTags implements KeyName {

		/**
		 * Operation, such as apply or update_status.
		 */
		OPERATION,

		/**
		 * Plural of the resource.
		 */
		RESOURCE,

		/**
		 * Group of the resource; {@code core} for the core group.
		 */
		GROUP,

		/**
		 * Outcome of the write: success, contested, unchanged, not_owned, conflict,
		 * forbidden or error; unknown while it is running.
		 */
		OUTCOME;

		@Override
		public String asString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Low cardinality keys of calls of reconcilers: those of the timer
	 * {@code kubernetes.informer.reconciler.calls}, which has the additional key
	 * {@code error} with the class of the exception.
	 */
	public enum ReconcileTags implements KeyName {

		/**
		 * Name of the reconciler.
		 */
		RECONCILER,

		/**
		 * Whether the object is being deleted, so that its cleanup is called.
		 */
		CLEANUP,

		/**
		 * Outcome of the call: success, later, conflict or error; unknown while it is
		 * running.
		 */
		OUTCOME;

		@Override
		public String asString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * High cardinality keys, for traces only.
	 */
	public enum HighCardinalityTags implements KeyName {

		/**
		 * Namespace of the object; absent for cluster-scoped objects.
		 */
		NAMESPACE("k8s.namespace.name"),

		/**
		 * Name of the object; absent if the server generates it.
		 */
		NAME("k8s.object.name"),

		/**
		 * Resource version of the object.
		 */
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
