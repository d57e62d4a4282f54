/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.observation;

import java.util.Locale;

import dev.informer.reconcilers.ReconcileCall;
import dev.informer.spring.observation.InformerObservation.HighCardinalityTags;
import dev.informer.spring.observation.InformerObservation.ReconcileTags;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.common.KeyValues;

/**
 * Default {@link ReconcileObservationConvention}. Extend it to add keys.
 */
public class DefaultReconcileObservationConvention implements ReconcileObservationConvention {

	@Override
	public String getName() {
		return "kubernetes.informer.reconciler.calls";
	}

	@Override
	public String getContextualName(ReconcileObservationContext context) {
		ReconcileCall call = context.getCall();
		return (call.cleanup() ? "clean up " : "reconcile ") + call.reconciler().informer().resourceType().plural();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ReconcileObservationContext context) {
		ReconcileCall call = context.getCall();
		return KeyValues.of(ReconcileTags.RECONCILER.withValue(call.reconciler().name()),
				ReconcileTags.CLEANUP.withValue(String.valueOf(call.cleanup())),
				ReconcileTags.OUTCOME.withValue(outcome(context)));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ReconcileObservationContext context) {
		V1ObjectMeta metadata = context.getCall().primary().getMetadata();
		KeyValues values = KeyValues.of(HighCardinalityTags.NAME.withValue(UntrustedText.of(metadata.getName())));
		return (metadata.getNamespace() != null)
				? values.and(HighCardinalityTags.NAMESPACE.withValue(UntrustedText.of(metadata.getNamespace())))
				: values;
	}

	private static String outcome(ReconcileObservationContext context) {
		Throwable failure = context.getError();
		if (failure == null) {
			return context.isCompleted() ? "success" : "unknown";
		}
		ReconcileCall.Outcome outcome = context.getCall().reconciler().options().outcome(failure);
		return (outcome == ReconcileCall.Outcome.FAILURE) ? "error" : outcome.name().toLowerCase(Locale.ROOT);
	}

}
