/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.operators;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.annotations.SerializedName;
import dev.informer.client.CustomResource;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1LabelSelector;

/**
 * Of Kueue, cluster-scoped, with maps by enum and wildcards.
 */
@CustomResource(group = "kueue.x-k8s.io", version = "v1beta2", plural = "clusterqueues", namespaced = false)
class ClusterQueue extends Resource<ClusterQueue.Spec, ClusterQueue.Status> {

	static class Spec {

		String cohortName;

		V1LabelSelector namespaceSelector;

		Preemption preemption;

		EnumMap<Condition, Step> flavorFungibility;

		List<? extends Group> resourceGroups;

		String queueingStrategy;

		StopPolicy stopPolicy;

	}

	enum Condition {

		whenCanBorrow, whenCanPreempt

	}

	enum Step {

		MayStopSearch, TryNextFlavor

	}

	enum StopPolicy {

		@SerializedName("None")
		NONE,

		@SerializedName("Hold")
		HOLD

	}

	static class Preemption {

		Map<String, String> borrowWithinCohort;

		String withinClusterQueue;

		String reclaimWithinCohort;

	}

	static class Group {

		Set<String> coveredResources;

		List<Flavor> flavors;

	}

	static class Flavor {

		String name;

		Quota[] resources;

	}

	static class Quota {

		String name;

		IntOrString nominalQuota;

	}

	static class Status {

		List<V1Condition> conditions;

		int pendingWorkloads;

		FairSharing fairSharing;

	}

	static class FairSharing {

		long weightedShare;

	}

}
